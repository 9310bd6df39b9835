/** A small line without axes. What it shows is said in words beside it, or by `label`. */
const WIDTH = 64;
const HEIGHT = 20;
const EDGE = 2;

export function Spark({ values, label }: { readonly values: readonly number[]; readonly label: string }) {
  const most = Math.max(1, ...values);
  const step = (WIDTH - 2 * EDGE) / Math.max(1, values.length - 1);
  const points = values.map(
    (value, at) => `${EDGE + at * step},${HEIGHT - EDGE - (value / most) * (HEIGHT - 2 * EDGE)}`,
  );
  return (
    <svg className="spark" width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <polyline
        points={points.join(" ")}
        fill="none"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeDasharray={values.some(Boolean) ? undefined : "1 3"}
      />
    </svg>
  );
}
