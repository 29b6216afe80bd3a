"""A small OpenID Connect provider: it signs in whoever the test says, without asking."""

import base64
import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import jwt
from cryptography.hazmat.primitives.asymmetric import rsa

CLIENT = {"OIDC_CLIENT_ID": "throughline", "OIDC_CLIENT_SECRET": "the client's secret"}


class Provider:
    """`provider.person = {"sub": "17", …}` is who signs in next."""

    def __init__(self) -> None:
        self.key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
        self.person: dict[str, Any] = {}
        self.asked: list[dict[str, str]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def discovery(self) -> dict[str, Any]:
        return {
            "issuer": self.url,
            "authorization_endpoint": f"{self.url}/authorize",
            "token_endpoint": f"{self.url}/token",
            "userinfo_endpoint": f"{self.url}/userinfo",
            "jwks_uri": f"{self.url}/jwks",
            "response_types_supported": ["code"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }

    def jwks(self) -> dict[str, Any]:
        public = json.loads(jwt.algorithms.RSAAlgorithm.to_jwk(self.key.public_key()))
        return {"keys": [public | {"kid": "1", "use": "sig", "alg": "RS256"}]}

    def tokens(self, form: dict[str, str]) -> dict[str, Any] | None:
        if form.get("client_secret") != CLIENT["OIDC_CLIENT_SECRET"] or form["code"] != "the-code":
            return None
        now = int(time.time())
        claims = {"iss": self.url, "aud": "throughline", "iat": now, "exp": now + 60}
        identity = jwt.encode(
            claims | self.person, self.key, algorithm="RS256", headers={"kid": "1"}
        )
        return {"access_token": "access", "token_type": "Bearer", "id_token": identity}

    def _handler(provider) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                url = urlsplit(self.path)
                query = {name: values[0] for name, values in parse_qs(url.query).items()}
                if url.path == "/authorize":
                    provider.asked.append(query)
                    self.send_response(302)
                    answer = urlencode({"code": "the-code", "state": query["state"]})
                    self.send_header("Location", f"{query['redirect_uri']}?{answer}")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                    return
                self._json(
                    {
                        "/.well-known/openid-configuration": provider.discovery(),
                        "/jwks": provider.jwks(),
                        "/userinfo": provider.person,
                    }.get(url.path)
                )

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                form = {name: values[0] for name, values in parse_qs(body).items()}
                given = self.headers.get("Authorization", "")
                if given.startswith("Basic "):
                    pair = base64.b64decode(given[6:]).decode()
                    form["client_secret"] = pair.partition(":")[2]
                self._json(provider.tokens(form))

            def _json(self, value: Any) -> None:
                body = json.dumps(value).encode()
                self.send_response(200 if value is not None else 400)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *arguments: Any) -> None:
                pass

        return Handler
