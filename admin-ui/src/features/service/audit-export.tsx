/** Saves every line that the filter lets through, not only those that have been read. */
import { Button, Menu } from "@mantine/core";
import { useState } from "react";
import { download } from "../../parts/download.ts";
import { notDone } from "../../parts/toasts.tsx";
import { client, type Outputs } from "../../shell/trpc.ts";
import type { Line } from "./audit-bursts.ts";

type Filter = Omit<NonNullable<Parameters<typeof client.listAudit.query>[0]>, "cursor" | "limit">;
type Format = "jsonl" | "csv";

const PAGE = 1000;

const COLUMNS: readonly (readonly [string, (line: Line) => unknown])[] = [
  ["at", (line) => line.at],
  ["operation", (line) => line.operation],
  ["memory_id", (line) => line.memory_id],
  ["person", (line) => line.person],
  ["agent_id", (line) => line.agent_id],
  ["agent_name", (line) => line.agent_name],
  ["credential_id", (line) => line.token?.id],
  ["credential_kind", (line) => line.token?.kind],
  ["credential_name", (line) => line.token?.name],
  ["user_id", (line) => line.user_id],
  ["request_id", (line) => line.request_id],
  ["detail", (line) => JSON.stringify(line.detail)],
];

/** A field of CSV. A spreadsheet would carry out what begins like a formula. */
function field(value: unknown): string {
  const text = value === null || value === undefined ? "" : String(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const WRITERS: Readonly<Record<Format, { head: string; line: (line: Line) => string; type: string }>> = {
  jsonl: { head: "", line: (line) => `${JSON.stringify(line)}\n`, type: "application/jsonl" },
  csv: {
    head: `${COLUMNS.map(([name]) => name).join(",")}\r\n`,
    line: (line) => `${COLUMNS.map(([, of]) => field(of(line))).join(",")}\r\n`,
    type: "text/csv",
  },
};

async function exportAudit(filter: Filter, format: Format, onRead: (lines: number) => void): Promise<void> {
  const { head, line, type } = WRITERS[format];
  const parts = [head];
  let read = 0;
  for (let cursor: string | null = null; ; ) {
    const page: Outputs["listAudit"] = await client.listAudit.query({ ...filter, cursor, limit: PAGE });
    parts.push(page.lines.map(line).join(""));
    read += page.lines.length;
    onRead(read);
    cursor = page.next_cursor;
    if (cursor === null) break;
  }
  download(`audit-${new Date().toISOString().slice(0, 10)}.${format}`, parts, type);
}

export function ExportAudit({ filter }: { readonly filter: Filter }) {
  const [read, setRead] = useState<number | null>(null);
  const begin = async (format: Format) => {
    setRead(0);
    try {
      await exportAudit(filter, format, setRead);
    } catch (error) {
      notDone("Not exported", error);
    }
    setRead(null);
  };
  const isBusy = read !== null;
  return (
    <>
      <span className="soft" role="status">
        {isBusy && `${read} lines read…`}
      </span>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default">Export</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Everything that the filter lets through</Menu.Label>
          <Menu.Item disabled={isBusy} onClick={() => void begin("csv")}>
            CSV, for a spreadsheet
          </Menu.Item>
          <Menu.Item disabled={isBusy} onClick={() => void begin("jsonl")}>
            JSON Lines, for a program
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  );
}
