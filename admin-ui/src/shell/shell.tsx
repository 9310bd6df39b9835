import {
  ActionIcon,
  Button,
  Menu,
  Modal,
  useComputedColorScheme,
  useMantineColorScheme,
} from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState } from "react";
import { GROUPS, keys, type Page, pages } from "../actions/actions.ts";
import { Icon } from "../parts/icons.tsx";
import { Empty } from "../parts/states.tsx";
import { Face } from "../parts/who.tsx";
import { followChanges, useIsLive } from "./live.ts";
import { spacesOf, useSession, useSpace } from "./space.ts";
import { onSessionEnd, tellSessionResumed } from "./trpc.ts";

const Palette = lazy(() => import("./palette.tsx").then(({ Palette }) => ({ default: Palette })));

/** The frame of every page: navigation, palette, keys, and the notice that the session has ended. */
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
          variant="subtle"
          color="gray"
          size={44}
          aria-label={isNavOpen ? "Close the navigation" : "Open the navigation"}
          aria-expanded={isNavOpen}
          aria-controls="navigation"
          onClick={() => setNavOpen(!isNavOpen)}
        >
          <Icon name={isNavOpen ? "close" : "menu"} size={20} />
        </ActionIcon>
        <span className="bar-space">{useSpace().name}</span>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label="Search or jump to"
          onClick={() => setPalette(true)}
        >
          <Icon name="search" size={20} />
        </ActionIcon>
      </header>
      <Navigation isOpen={isNavOpen} openPalette={() => setPalette(true)} />
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

/** A quiet notice once the stream of changes has been down for a moment. */
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

/** Another workspace, the same page. What was chosen on the page does not come along: it belongs to the first one. */
function SpaceSwitcher() {
  const space = useSpace();
  const spaces = spacesOf(useSession());
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const page = pathname.split("/").slice(2).join("/");
  const goTo = (key: string) => {
    const to = pages.find((one) => one.to === `/$space${page === "" ? "" : `/${page}`}`)?.to ?? "/$space";
    void navigate({ to, params: { space: key } });
  };
  return (
    <Menu position="bottom-start" width={260} withinPortal={false}>
      <Menu.Target>
        <button type="button" className="switcher">
          <img src="/admin/icon.svg" width="26" height="26" alt="" />
          <span className="two-lines">
            <b>{space.name}</b>
            <small>{space.teamId === null ? "Only you" : `Team · ${space.role}`}</small>
          </span>
          <span className="unseen">Workspace</span>
          <Icon name="switch" size={14} />
        </button>
      </Menu.Target>
      <Menu.Dropdown aria-label="Workspaces">
        <Menu.Label>Workspaces</Menu.Label>
        {spaces.map(({ key, name, role, teamId }) => (
          <Menu.Item
            key={key}
            onClick={() => goTo(key)}
            leftSection={<Icon name={teamId === null ? "account" : "team"} size={16} />}
            rightSection={key === space.key ? <Icon name="good" size={15} /> : undefined}
            aria-current={key === space.key || undefined}
          >
            <bdi>{name}</bdi> <small className="soft">{teamId === null ? "" : role}</small>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

interface NavigationProps {
  readonly isOpen: boolean;
  readonly openPalette: () => void;
}

function Navigation({ isOpen, openPalette }: NavigationProps) {
  const space = useSpace();
  const shown = pages.filter(({ isShown }) => isShown(space));
  const inGroup = (group: Page["group"]) => shown.filter((page) => page.group === group);
  return (
    <section className="nav" id="navigation" aria-label="Workspace" data-open={isOpen || undefined}>
      <div className="nav-top">
        <SpaceSwitcher />
        <button type="button" className="seek" onClick={openPalette}>
          <Icon name="search" size={15} />
          <span className="grow">Search or jump to…</span>
          <kbd>Ctrl K</kbd>
        </button>
      </div>
      <nav className="nav-list" aria-label="Pages">
        <NavLinks space={space.key} pages={inGroup(null).filter(({ to }) => to === "/$space")} />
        {GROUPS.map((group) => (
          <div key={group}>
            <h2 id={`nav-${group}`}>{group}</h2>
            <NavLinks space={space.key} pages={inGroup(group)} labelledBy={`nav-${group}`} />
          </div>
        ))}
      </nav>
      <AccountLink space={space.key} />
    </section>
  );
}

interface NavLinksProps {
  readonly space: string;
  readonly pages: readonly Page[];
  readonly labelledBy?: string;
}

function NavLinks({ space, pages, labelledBy }: NavLinksProps) {
  return (
    <ul aria-labelledby={labelledBy}>
      {pages.map(({ to, label, icon, isExact = false }) => (
        <li key={to}>
          <Link to={to} params={{ space }} activeOptions={{ exact: isExact, includeSearch: false }}>
            <Icon name={icon} size={16} />
            {label}
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** The person who is signed in, which leads to their account, beside the switch of the scheme. */
function AccountLink({ space }: { readonly space: string }) {
  const { user, email } = useSession();
  return (
    <div className="nav-foot">
      <Link className="account" to="/$space/account" params={{ space }}>
        <Face name={user.name} />
        <span className="two-lines">
          <b>
            <span className="unseen">Account of </span>
            <bdi>{user.name}</bdi>
          </b>
          <small>{email}</small>
        </span>
      </Link>
      <SchemeToggle />
    </div>
  );
}

function SchemeToggle() {
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme("light");
  const other = scheme === "dark" ? "light" : "dark";
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={32}
      aria-label={`Use the ${other} scheme`}
      onClick={() => setColorScheme(other)}
    >
      <Icon name={other === "dark" ? "moon" : "sun"} size={16} />
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
