import type { PoolUse, StatementKind, StatementWatch } from "../../../core/watch/watch.ts";
import type { Sql, TransactionSql } from "../database/client.ts";

/** The parts of a driver's statement that are used here. `active` is true while it runs on a connection. */
interface Statement {
  active: boolean;
  executed: boolean;
  cursorFn?: unknown;
  resolve(rows: unknown): void;
  reject(error: unknown): void;
  handle(): unknown;
}

/**
 * Wraps a pool so that each of its statements and transactions is watched. A piece of SQL that becomes part of a
 * statement does not count: a statement counts from the moment in which the driver receives it.
 */
export function watchedSql(
  sql: Sql,
  watch: StatementWatch,
): { readonly sql: Sql; readonly use: () => PoolUse } {
  const statements = new Set<Statement>();
  let transactions = 0;
  let transactionsWaiting = 0;

  function watched<S extends Statement>(statement: S, text: string): S {
    const { handle } = statement;
    statement.handle = () => {
      // A cursor's statement is not watched: it has many answers, and ends with its reader.
      if (!statement.executed && statement.cursorFn === undefined) begin(statement, text);
      return handle.call(statement);
    };
    return statement;
  }

  function begin(statement: Statement, text: string): void {
    const ended = watch.statement(kindOf(text));
    statements.add(statement);
    const { resolve, reject } = statement;
    statement.resolve = (rows) => {
      statements.delete(statement);
      ended(null);
      resolve(rows);
    };
    statement.reject = (error) => {
      statements.delete(statement);
      ended(error);
      reject(error);
    };
  }

  /** Wraps a tag function, with all its members. `more` replaces some of them. */
  function tagOf<T extends Sql | TransactionSql>(of: T, more: object): T {
    const tag = (first: unknown, ...rest: unknown[]) => {
      const made = (of as unknown as (...args: unknown[]) => unknown)(first, ...rest);
      const { raw } = first as { raw?: readonly string[] };
      return raw === undefined ? made : watched(made as Statement, raw[0] ?? "");
    };
    const unsafe = (...args: Parameters<Sql["unsafe"]>) =>
      watched(of.unsafe(...args) as unknown as Statement, args[0]);
    return Object.assign(
      Object.defineProperties(tag, Object.getOwnPropertyDescriptors(of)),
      { unsafe },
      more,
    ) as never;
  }

  function inTransaction(tx: TransactionSql): TransactionSql {
    const savepoint = (...args: unknown[]) => {
      const work = args.pop() as (sql: TransactionSql) => unknown;
      return (tx.savepoint as (...args: unknown[]) => unknown)(...args, (inner: TransactionSql) =>
        work(inTransaction(inner)),
      );
    };
    return tagOf(tx, { savepoint });
  }

  async function transact(...args: unknown[]): Promise<unknown> {
    const work = args.pop() as (sql: TransactionSql) => unknown;
    let hasBegun = false;
    transactionsWaiting += 1;
    try {
      return await watch.transaction(async (began) =>
        (sql.begin as (...args: unknown[]) => Promise<unknown>)(...args, (tx: TransactionSql) => {
          hasBegun = true;
          transactionsWaiting -= 1;
          transactions += 1;
          began();
          return work(inTransaction(tx));
        }),
      );
    } finally {
      if (hasBegun) transactions -= 1;
      else transactionsWaiting -= 1;
    }
  }

  const reserve = async () => {
    const reserved = await sql.reserve();
    return tagOf(reserved as unknown as Sql, {});
  };

  return {
    sql: tagOf(sql, { begin: transact, reserve }),
    use() {
      const running = [...statements].filter(({ active }) => active).length;
      return { running, waiting: statements.size - running + transactionsWaiting, transactions };
    },
  };
}

function kindOf(text: string): StatementKind {
  const word = /^\s*(select|insert|update|delete|with)\b/i.exec(text)?.[1]?.toLowerCase();
  return (word as StatementKind | undefined) ?? "other";
}
