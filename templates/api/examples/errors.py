refused = client.post(f"{session}/turns", json={"question": "Is this the right field?"})
if refused.is_error:
    error = refused.json()["error"]
    print(refused.status_code, error["code"], error["message"], error.get("fields"))
    if refused.status_code == 429:
        print("Again in", refused.headers["Retry-After"], "seconds.")
