import { ActionIcon, Button, Modal, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { keys, pages } from "../actions/actions.ts";
import { Icon } from "../parts/icons.tsx";
import { Empty } from "../parts/states.tsx";
import { followChanges, useIsLive } from "./live.ts";
import { spacesOf, useSession, useSpace } from "./space.ts";
import { onSessionEnd, tellSessionResumed } from "./trpc.ts";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette }) => ({ default: Palette })));

/** What is around every page: the bar, the navigation, the keys, and what is said when the session ends. */
export function Shell() {
  const [isNavOpen, setNavOpen] = useState(false);
  const [hasPalette, setPalette] = useState(false);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const { pathname } = useLocation();
  const { space } = useParams({ from: "/$space" });
  const isStillTheirs = spacesOf(useSession()).some(({ key }) => key === space);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the navigation
  useEffect(() => setNavOpen(false), [pathname]);
  useEffect(followChanges, []);
  useKeys({ openPalette: () => setPalette(true), openHelp: () => setHelpOpen(true) });
  return (
    <div className="shell">
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="bar">
        <ActionIcon
          className="only-narrow"
          variant="default"
          size={44}
          aria-label={isNavOpen ? "Close the navigation" : "Open the navigation"}
          aria-expanded={isNavOpen}
          aria-controls="navigation"
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <Icon name={isNavOpen ? "close" : "menu"} />
        </ActionIcon>
        <Link className="brand" to="/">
          <img src="/admin/icon.svg" width="24" height="24" alt="" />
          <span className="only-wide">Recollect</span>
        </Link>
        <SpaceSwitcher />
        <span className="grow" />
        <Button
          className="only-wide"
          variant="default"
          leftSection={<Icon name="search" size={16} />}
          rightSection={<kbd>Ctrl K</kbd>}
          onClick={() => setPalette(true)}
        >
          Go to
        </Button>
        <SchemeToggle />
      </header>
      <Navigation isOpen={isNavOpen} />
      <main className="main" id="content" tabIndex={-1}>
        {isStillTheirs ? (
          <Outlet />
        ) : (
          <>
            <h1>No longer yours</h1>
            <Empty
              title="You are no longer in this team"
              action={<Link to="/">Go to your own workspace</Link>}
            >
              Somebody removed you from the team. Its admins can add you again.
            </Empty>
          </>
        )}
      </main>
      {hasPalette && (
        <Suspense>
          <Palette onClose={() => setPalette(false)} showKeys={() => setHelpOpen(true)} />
        </Suspense>
      )}
      <KeysHelp isOpen={isHelpOpen} close={() => setHelpOpen(false)} />
      <LiveWord />
      <SessionEnd />
    </div>
  );
}

const SAID_AFTER_MS = 2000;

/** A quiet word while nothing is told of changes, once it lasts. */
function LiveWord() {
  const isLive = useIsLive();
  const [isSaid, setSaid] = useState(false);
  useEffect(() => {
    if (isLive) return setSaid(false);
    const timer = setTimeout(() => setSaid(true), SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, [isLive]);
  return (
    <p className="live-word" role="status" data-said={isSaid || undefined}>
      {isSaid && "Not up to date: the service is not answering. Trying again…"}
    </p>
  );
}

/** Another space, the same page. What was chosen on the page does not come along: it is of the other space. */
function SpaceSwitcher() {
  const space = useSpace();
  const spaces = spacesOf(useSession());
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = pathname.split("/").slice(2).join("/");
  return (
    <select
      className="spaces"
      aria-label="Workspace"
      value={space.key}
      onChange={(event) => {
        const to = pages.find((one) => one.to === `/$space${page === "" ? "" : `/${page}`}`)?.to ?? "/$space";
        void navigate({ to, params: { space: event.target.value } });
      }}
    >
      {spaces.map(({ key, name, role, teamId }) => (
        <option key={key} value={key}>
          {teamId === null ? name : `${name} · ${role}`}
        </option>
      ))}
    </select>
  );
}

function Navigation({ isOpen }: { readonly isOpen: boolean }) {
  const space = useSpace();
  const session = useSession();
  return (
    <nav className="nav" id="navigation" aria-label="Pages" data-open={isOpen || undefined}>
      <ul>
        {pages
          .filter(({ isShown }) => isShown(space))
          .map(({ to, label, icon }) => (
            <li key={to}>
              <Link
                to={to}
                params={{ space: space.key }}
                activeOptions={{ exact: to === "/$space", includeSearch: false }}
              >
                <Icon name={icon} />
                {label}
              </Link>
            </li>
          ))}
      </ul>
      <ul>
        <li>
          <a href="/bind">
            <Icon name="agent" />
            Connect an agent
          </a>
        </li>
      </ul>
      <p className="soft" style={{ padding: "0 12px", fontSize: "0.75rem" }}>
        Signed in as {session.email}
      </p>
    </nav>
  );
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="default"
      size={36}
      aria-label={`Use the ${other} scheme`}
      onClick={() => setColorScheme(other)}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} />
    </ActionIcon>
  );
}

/** `/`, `?` and Ctrl K, but for keys that are typed into a field. */
function useKeys({ openPalette, openHelp }: { openPalette: () => void; openHelp: () => void }): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        openPalette();
        return;
      }
      const isTyping = (event.target as HTMLElement).closest("input, textarea, select, [contenteditable]");
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      if (event.key === "?") openHelp();
      const field = document.querySelector<HTMLElement>("[data-search-field]");
      if (event.key === "/" && field) {
        event.preventDefault();
        field.focus();
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
}

function KeysHelp({ isOpen, close }: { readonly isOpen: boolean; readonly close: () => void }) {
  return (
    <Modal opened={isOpen} onClose={close} title="Keys" closeButtonProps={{ "aria-label": "Close" }}>
      <dl className="facts">
        {keys.map(([key, what]) => (
          <div key={key} style={{ display: "contents" }}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Modal>
  );
}

/** Nothing of the page goes: whoever signs in again in another tab goes on where they were. */
function SessionEnd() {
  const [isOver, setOver] = useState(false);
  const queries = useQueryClient();
  useEffect(() => onSessionEnd(setOver), []);
  const goOn = () => {
    setOver(false);
    void queries.invalidateQueries();
    tellSessionResumed();
  };
  return (
    <Modal
      opened={isOver}
      onClose={goOn}
      title="Your session has ended"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <p>Nothing you typed is lost. Sign in again in another tab, then continue here.</p>
      <div style={{ display: "flex", flexWrap: "wrap", gap: 12 }}>
        <Button component="a" href="/sign-in?next=/admin" target="_blank" rel="noopener">
          Sign in again
        </Button>
        <Button variant="default" onClick={goOn}>
          I have signed in
        </Button>
      </div>
    </Modal>
  );
}
