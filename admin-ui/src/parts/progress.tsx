import "./progress.css";

/** How far something is, as a bar and in words. */
export function Progress(props: { readonly label: string; readonly done: number; readonly of: number }) {
  const { label, done, of } = props;
  const share = of === 0 ? 1 : Math.min(1, done / of);
  const words = `${Math.floor(share * 100)}%`;
  return (
    <span className="progress">
      <progress aria-label={label} max={1} value={share}>
        {words}
      </progress>
      <span aria-hidden="true">{words}</span>
    </span>
  );
}
