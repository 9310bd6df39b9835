import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Empty, Failed, Waiting } from "../../parts/states.tsx";
import { type Column, Table } from "../../parts/table.tsx";
import { type Space, useSpace } from "../../shell/space.ts";
import { type Outputs, trpc } from "../../shell/trpc.ts";
import { sumOf } from "./sum.ts";

const LIMIT = 1000;

type Memory = Outputs["listMemories"]["memories"][number];

interface Expense {
  readonly id: string;
  readonly item: string;
  readonly amount: string;
  readonly currency: string;
  readonly date: string;
  readonly category: string;
}

/** What was spent, and on what? */
export function LedgerPage() {
  const space = useSpace();
  const list = useQuery(
    trpc.listMemories.queryOptions({
      ...space.filter,
      bucket: "ledger",
      memory_type: "expense",
      limit: LIMIT,
    }),
  );
  const expenses = (list.data?.memories ?? []).map(asExpense).sort((a, b) => b.date.localeCompare(a.date));
  const total = list.data?.total ?? 0;
  return (
    <>
      <div className="heading">
        <div className="grow">
          <h1>Ledger</h1>
          <p>Expenses that agents recorded, with exact amounts</p>
        </div>
      </div>
      {list.isPending && <Waiting what="the ledger" />}
      {list.isError && <Failed what="The ledger" error={list.error} retry={() => void list.refetch()} />}
      {list.data && expenses.length === 0 && (
        <Empty title="No expenses yet">
          An agent with the scope ledger:write adds them, with the operation expense-add or POST
          /v1/ledger/expenses.
        </Empty>
      )}
      {expenses.length > 0 && (
        <>
          <dl className="tiles" style={{ marginBottom: 16 }}>
            {totalsOf(expenses).map(([currency, amount]) => (
              <div className="tile" key={currency}>
                <dt>{currency}</dt>
                <dd>
                  {amount}
                  <small>{total > LIMIT ? `of the newest ${LIMIT}` : "in total"}</small>
                </dd>
              </div>
            ))}
          </dl>
          <Table
            label="Expenses"
            columns={columnsFor(space)}
            items={expenses}
            keyOf={({ id }) => id}
            total={expenses.length}
          />
        </>
      )}
    </>
  );
}

function asExpense({ id, content, metadata }: Memory): Expense {
  const text = (name: string) => (typeof metadata[name] === "string" ? (metadata[name] as string) : "");
  return {
    id,
    item: text("item") || content,
    amount: text("amount"),
    currency: text("currency"),
    date: text("date"),
    category: text("category"),
  };
}

function totalsOf(expenses: readonly Expense[]): [currency: string, amount: string][] {
  const currencies = [...new Set(expenses.map(({ currency }) => currency))].sort();
  return currencies.map((currency) => [
    currency,
    sumOf(expenses.flatMap((one) => (one.currency === currency ? [one.amount] : []))),
  ]);
}

const columnsFor = (space: Space): readonly Column<Expense>[] => [
  { label: "Date", width: "96px", narrowWidth: "88px", cell: ({ date }) => date },
  {
    label: "What",
    width: "minmax(0, 1fr)",
    cell: ({ id, item }) => (
      <Link to="/$space/memories" params={{ space: space.key }} search={{ bucket: "ledger", id }}>
        <bdi>{item}</bdi>
      </Link>
    ),
  },
  { label: "Category", width: "160px", isWide: true, cell: ({ category }) => <bdi>{category || "–"}</bdi> },
  {
    label: "Amount",
    width: "128px",
    narrowWidth: "max-content",
    isRight: true,
    cell: ({ amount, currency }) => `${amount} ${currency}`,
  },
];
