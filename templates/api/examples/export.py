from pathlib import Path

export = client.get(f"{session}/export", params={"format": "markdown"}).raise_for_status()
Path("conversation.md").write_bytes(export.content)
