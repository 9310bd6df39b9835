import type { Sql } from "../../src/adapters/postgres/database/client.ts";

/** Makes every erasure of that memory fail, with an error that quotes its text. Returns what makes it possible again. */
export async function makeUnerasable(sql: Sql, memoryId: string): Promise<() => Promise<void>> {
  const name = `unerasable_${memoryId.replaceAll("-", "")}`;
  await sql.unsafe(`
    create function ${name}() returns trigger language plpgsql as $$
      begin raise exception 'the text % is quoted', old.content using errcode = 'XX001'; end $$;
    create trigger ${name} before delete on memories for each row
      when (old.memory_id = '${memoryId}') execute function ${name}()`);
  return async () => {
    await sql.unsafe(`drop trigger if exists ${name} on memories; drop function if exists ${name}()`);
  };
}
