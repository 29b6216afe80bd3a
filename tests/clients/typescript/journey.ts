// A whole journey with the types that were generated from the schema: node journey.js ADDRESS TOKEN
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Schemas = components["schemas"];
type Turn = Schemas["TurnAnswer"];

const [address, token] = process.argv.slice(2) as [string, string];
const headers = { Authorization: `Bearer ${token}` };
const api = createClient<paths>({ baseUrl: address, headers });
const ZANZIBAR = "# Zanzibar Protocol\n\nThe Zanzibar Deadline is the ninth day of May 2032.\n";

/** What was answered, or a failure that says what instead. */
function given<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  assert.ok(answer.data !== undefined, `${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data;
}

/** What an event tells, by its name: the compiler knows what each of them carries. */
function told(event: Schemas["TurnEvent"], seen: { text: string; turn?: Turn }): void {
  switch (event.event) {
    case "turn":
      seen.text = "";
      break;
    case "delta":
      seen.text += (JSON.parse(event.data) as Schemas["Delta"]).text;
      break;
    case "done":
      seen.turn = JSON.parse(event.data) as Turn;
      break;
    case "error":
      assert.fail((JSON.parse(event.data) as Schemas["Failed"]).message);
  }
}

const refused = await createClient<paths>({ baseUrl: address }).GET("/api/v1/sessions");
assert.equal(refused.error?.error.code, "not_authenticated");

const title = "The Zanzibar Protocol";
let document = given(await api.POST("/api/v1/documents", { body: { text: ZANZIBAR, title, media_type: "text/markdown", shared: false } }));
const ofDocument = { params: { path: { document_id: document.document_id } } };
for (let waited = 0; document.status === "waiting" && waited < 150; waited += 1) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  document = given(await api.GET("/api/v1/documents/{document_id}", ofDocument));
}
assert.equal(document.status, "ready");
const passages = given(await api.GET("/api/v1/documents/{document_id}/passages", ofDocument));
assert.match(passages.passages[0]!.text, /Zanzibar Deadline/);
const query = { q: "Zanzibar", status: "ready" } as const;
const named = given(await api.GET("/api/v1/documents", { params: { query } }));
assert.ok(named.documents.some((each) => each.document_id === document.document_id));

const { session_id } = given(await api.POST("/api/v1/sessions", { body: { style: "footnote" } }));
const ofSession = { params: { path: { session_id } } };
const asked: Turn[] = [];
for (const question of ["When is the Zanzibar Deadline?", "What is the Zanzibar Protocol about?"]) {
  const answer = await api.POST("/api/v1/sessions/{session_id}/turns", {
    params: { ...ofSession.params, header: { "Idempotency-Key": crypto.randomUUID() } },
    body: { query: question, documents: [document.document_id] },
    headers: { Accept: "application/json" },
  });
  asked.push(given(answer) as Turn);
}
const turn = asked[0]!;
assert.match(turn.response, /2032/);
assert.deepEqual(turn.citations[0]!.sources, [document.document_id]);

const path = { session_id, turn_id: turn.turn_id };
const stream = await api.GET("/api/v1/sessions/{session_id}/turns/{turn_id}/events", {
  params: { path },
  parseAs: "stream",
});
const seen: { text: string; turn?: Turn } = { text: "" };
const decoded = given(stream)!.pipeThrough(new TextDecoderStream());
let text = "";
for await (const piece of decoded as unknown as AsyncIterable<string>) text += piece;
for (const lines of text.split("\n\n").slice(0, -1)) {
  const fields = lines.split("\n").filter((line) => !line.startsWith(":")).map((line) => line.split(/: (.*)/s));
  told(Object.fromEntries(fields) as Schemas["TurnEvent"], seen);
}
assert.equal(seen.text, turn.response);
assert.deepEqual(seen.turn, turn);

const turns: Turn[] = [];
let cursor: string | null | undefined;
do {
  const page = given(await api.GET("/api/v1/sessions/{session_id}/history", {
    params: { path: { session_id }, query: { limit: 1, ...(cursor ? { cursor } : {}) } },
  }));
  turns.push(...page.turns);
  cursor = page.next;
} while (cursor);
assert.deepEqual(turns, asked);

const context = given(await api.GET("/api/v1/sessions/{session_id}/turns/{turn_id}/context", { params: { path } }));
assert.equal(context.turn_id, turn.turn_id);
const rated = given(await api.PATCH("/api/v1/sessions/{session_id}/turns/{turn_id}", {
  params: { path },
  body: { rating: 1, feedback: "Well put." },
}));
assert.deepEqual([rated.rating, rated.feedback], [1, "Well put."]);
const found = given(await api.GET("/api/v1/search", { params: { query: { q: "Zanzibar", session: session_id } } }));
assert.deepEqual(new Set(found.results.map((hit) => hit.turn_id)), new Set(asked.map((each) => each.turn_id)));
const exported = given(await api.GET("/api/v1/sessions/{session_id}/export", ofSession));
assert.equal((exported as Schemas["ExportAnswer"]).turns.length, 2);

const gone = await api.DELETE("/api/v1/sessions/{session_id}/turns/{turn_id}", { params: { path } });
assert.equal(gone.response.status, 204);
assert.equal((await api.DELETE("/api/v1/sessions/{session_id}", ofSession)).response.status, 204);
assert.equal((await api.GET("/api/v1/sessions/{session_id}", ofSession)).error?.error.code, "not_found");
assert.equal((await api.DELETE("/api/v1/documents/{document_id}", ofDocument)).response.status, 204);
console.log("The journey is over.");
