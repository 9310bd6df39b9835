import { type ErrorCode, errorCodes } from "../../src/contract/error.ts";

const HEAD = `# Errors

Every error has a machine code. Decide by the code, never by the prose: it may be put better tomorrow. An answer carries the
code in its body, and the address of its paragraph here in the header \`Link: </docs/errors#CODE>; rel="help"\`:

\`\`\`json
{"detail": "There is no such memory.", "code": "not_found"}
\`\`\`

With \`Accept: application/problem+json\` the body is a problem document (RFC 9457) whose \`type\` is
\`urn:recollect:problem:CODE\`. Over MCP a tool that fails says the code first. A refused request has changed nothing;
of a 500 or a broken connection that cannot be known, so repeat a write with the same \`Idempotency-Key\`.
`;

/** The text of \`docs/errors.md\`: each code with its status, its cause and its cure, by status. */
export function errorsPage(): string {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).sort(
    (a, b) => errorCodes[a].status - errorCodes[b].status || a.localeCompare(b),
  );
  const parts = codes.map((code) => {
    const { status, title, cause, cure } = errorCodes[code];
    return `\n## ${code}\n\n**${status}. ${title}.** ${cause}\n\n${cure}\n`;
  });
  return HEAD + parts.join("");
}
