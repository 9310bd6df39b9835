/** Requests as they are written, in which the runtimes could differ. */
import fc from "fast-check";

const LIST = { name: "listMemories" };
const memory = (memory_id: string) => ({ name: "getMemory", input: { memory_id } });

/** Method, target, status, and members of the body. */
export const ADDRESSES: [string, string, number, object?][] = [
  ["GET", "/v1/memories/..", 404],
  ["GET", "/v1/memories/%2e%2e", 404],
  ["GET", "/v1/memories/.%2E", 404],
  ["GET", "/v1/memories/.", 200, LIST],
  ["GET", "/v1/memories/%2e", 200, LIST],
  ["GET", "/v1/memories/a/..", 200, LIST],
  ["GET", "/v1/x/../memories?path=../b", 422],
  ["GET", "/../v1/./memories", 200, LIST],
  ["GET", "/docs/%2e%2e/v1/memories", 200, LIST],
  ["GET", "/v1\\memories", 200, LIST],
  ["GET", "/v1/memories/a/%2e%2e/b", 200, memory("b")],
  ["GET", "/v1/memories/.a/../b", 200, memory("b")],
  ["GET", "/v1/memories/a..", 200, memory("a..")],
  ["GET", "/v1/memories/...", 200, memory("...")],
  ["GET", "/v1/memories/.a", 200, memory(".a")],
  ["GET", "/v1/memories/%252e%252e", 422],
  ["GET", "/v1/memories/..%2f", 422],
  ["DELETE", "/v1/memories/..", 404],
  ["DELETE", "/v1/memories/%2e", 405],
  ["GET", "/v1/projects/%2e%2e/todos", 404],
  ["HEAD", "/v1/memories/..", 404],
  ["OPTIONS", "/v1/memories/..", 404],
  ["GET", "/healthz/.", 200],
  ["GET", "//v1/memories", 404],
  ["GET", "/v1//memories", 404],
  ["GET", "//evil.example/v1/memories", 404],
  ["GET", "/v1/memories/", 200, LIST],
  ["GET", "/v1/memories//", 404],
  ["GET", "/%76%31/memories", 404],
  ["GET", "/v1/memories/a%2Fb", 422],
  ["GET", "/v1/memories/%c3%28", 422],
  ["GET", "/v1/memories/%", 422],
  ["GET", '/"', 404],
  ["GET", "/v1/memories?path=%ff", 422],
  ["GET", "/v1/memories?limit=3&limit=3", 422],
  ["GET", "/v1/memories?limit=3#x", 200, { ...LIST, input: { limit: 3 } }],
  ["GET", "http://localhost?x", 200],
  ["GET", "https://localhost/v1/memories", 200, LIST],
  ["GET", "http://localhost/v1/x/../memories", 200, LIST],
];

const segment = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...["", ".", "..", "%2e", "%2E.", "...", "a", "a.", ".a", "v1", "memories", "projects", "todos"],
    ),
  },
  fc.constantFrom(
    ...[
      "%2f",
      "%5c",
      "\\",
      "\\..",
      "%zz",
      "%",
      "%00",
      "%C3%BC",
      "a;b",
      "a'b",
      "[",
      "{x}",
      "|",
      '"',
      "^",
      "%25",
    ],
  ),
);
const rest = fc.constantFrom(
  ...["", "?", "?limit=3", "?path=../x", "?path=a\\b", "?limit=3&&limit=4", "?%ff", "?a'b|c", "#x", "?x#y?z"],
);

/** Paths with anything in them that a runtime could resolve or decode by itself. */
export const addresses: fc.Arbitrary<string> = fc
  .tuple(fc.array(segment, { maxLength: 7 }), rest)
  .map(([segments, end]) => `/${segments.join("/")}${end}`);

/** Lines of a head that say what a body is, and whether it is read as JSON. */
export const TYPES: [string, boolean][] = [
  ["", false],
  ["Content-Type: application/json", true],
  ["CONTENT-TYPE: APPLICATION/JSON", true],
  ["Content-Type:\tapplication/json ", true],
  ["Content-Type: application/json;", true],
  ['Content-Type: application/json;CHARSET="UTF-8"', true],
  ["Content-Type: application/json; boundary=x", true],
  ["Content-Type: application/merge-patch+json", true],
  ["Content-Type: application/json; charset=iso-8859-1", false],
  ["Content-Type: application/json, text/plain", false],
  ["Content-Type: application / json", false],
  ["Content-Type: ", false],
  ["Content-Type: */*", false],
  ["Content-Type: garbage", false],
  ["Content-Type: text/json", false],
  ["Content-Type: application/octet-stream", false],
  ["Content-Type: application/x-www-form-urlencoded", false],
  ["Content-Type: multipart/form-data", false],
  ["Content-Type: multipart/form-data; boundary=xx", false],
];

const JSON_TYPE = "Content-Type: application/json";
const LENGTH = "Content-Length: 26";
export const MEMORY = '{"content":"a","path":"p"}';

/** What it is, method, target, lines of the head, body, status. */
export const HEADS: [string, string, string, string[], string, number][] = [
  ["a key twice", "GET", "/v1/memories", ["X-API-Key: other"], "", 401],
  ["two ways to carry a key", "GET", "/v1/memories", ["Authorization: Bearer other"], "", 200],
  ["an agent twice", "GET", "/v1/memories", ["X-Agent-Id: a", "X-Agent-Id: b"], "", 200],
  ["an empty agent", "GET", "/v1/memories", ["X-Agent-Id: "], "", 200],
  ["an agent between spaces", "GET", "/v1/memories", ["X-Agent-Id:  a b \t"], "", 200],
  ["a project twice", "GET", "/v1/memories", ["X-Project-Id: a", "X-Project-Id: b"], "", 422],
  ["If-Match twice", "DELETE", "/v1/memories/m", ['If-Match: "a"', 'If-Match: "b"'], "", 200],
  ["Accept twice", "GET", "/v1/x", ["Accept: text/html", "Accept: application/problem+json"], "", 404],
  ["two types", "POST", "/v1/remember", [JSON_TYPE, "Content-Type: text/plain", LENGTH], MEMORY, 415],
  ["one type twice", "POST", "/v1/remember", [JSON_TYPE, JSON_TYPE, LENGTH], MEMORY, 415],
  ["a wish for another protocol", "GET", "/v1/memories", ["Upgrade: h2c"], "", 200],
  ["a range", "GET", "/openapi.json", ["Range: bytes=0-9"], "", 200],
  ["another method in a header", "GET", "/v1/memories", ["X-HTTP-Method-Override: DELETE"], "", 200],
  ["an encoding", "POST", "/v1/remember", [JSON_TYPE, "Content-Encoding: gzip", LENGTH], MEMORY, 415],
  ["100-continue", "POST", "/v1/remember", [JSON_TYPE, "Expect: 100-continue", LENGTH], MEMORY, 201],
  ["another expectation", "POST", "/v1/remember", [JSON_TYPE, "Expect: tea", LENGTH], MEMORY, 201],
  [
    "100-continue of too much",
    "POST",
    "/v1/remember",
    [JSON_TYPE, "Expect: 100-continue", "Content-Length: 9999999"],
    "",
    413,
  ],
  ["a length beyond all", "POST", "/v1/remember", [JSON_TYPE, "Content-Length: 9999999999"], "", 413],
  [
    "chunks",
    "POST",
    "/v1/remember",
    [JSON_TYPE, "Transfer-Encoding: CHUNKED"],
    '8;a=b\r\n{"conten\r\n12\r\nt":"a","path":"p"}\r\n0\r\n\r\n',
    201,
  ],
  ["no chunk", "POST", "/v1/remember", [JSON_TYPE, "Transfer-Encoding: chunked"], "0\r\n\r\n", 422],
  ["no length", "POST", "/v1/remember", [JSON_TYPE], "", 422],
  ["a method of WebDAV", "PROPFIND", "/v1/memories", [], "", 405],
  ["QUERY", "QUERY", "/v1/memories", [], "", 405],
];
