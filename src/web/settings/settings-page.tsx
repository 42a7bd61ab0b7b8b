import { Fragment } from "react";
import type { ConfigurationAnswer, PsAnswer, Scope } from "../../server/schemas/settings.ts";
import { allowNotifications, allowedStore, stopNotifications, type Allowed } from "../notifications/notifier.tsx";
import { toastError } from "../state/messages.ts";
import { useRemote } from "../state/remote.ts";
import { logout, may, useMe } from "../state/server.ts";
import { useStore } from "../state/store.ts";
import { setTheme, themeStore } from "../state/theme.ts";
import { Button, Icon, Pending, Table } from "../ui/basics.tsx";
import { Terminals } from "./terminals.tsx";
import { Tokens } from "./tokens.tsx";
import "../panels/panels.css";
import "../panels/pages.css";

const words: Readonly<Record<Scope, string>> = {
  read: "read",
  prompt: "send prompts",
  approve: "answer permissions",
  admin: "do everything",
};

function scopeWords(scopes: readonly Scope[] = []): string {
  return `may ${scopes.includes("admin") ? words.admin : scopes.map((scope) => words[scope]).join(", ")}`;
}

const choices = [
  { theme: "system", label: "System", icon: "system" },
  { theme: "light", label: "Light", icon: "sun" },
  { theme: "dark", label: "Dark", icon: "moon" },
] as const;

function ThemeSetting() {
  const current = useStore(themeStore);
  return (
    <div className="setting-row">
      <div>
        <h3>Colours</h3>
        <p className="quiet-words">Kept in this browser.</p>
      </div>
      <div role="group" aria-label="Colours" className="segments large">
        {choices.map(({ theme, label, icon }) => (
          <button key={theme} type="button" aria-pressed={theme === current} onClick={() => setTheme(theme)}>
            <Icon name={icon} size={14} />
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}

const allowedWords: Readonly<Record<Allowed, string>> = {
  on: "You are notified when a session waits for your answer while this page is hidden.",
  off: "Get notified when a session waits for your answer while this page is hidden.",
  denied: "Notifications are blocked. Allow them in the browser's settings for this page.",
  impossible: "This browser does not support notifications.",
};

function NotificationSetting() {
  const allowed = useStore(allowedStore);
  return (
    <div className="setting-row">
      <div>
        <h3>Notifications</h3>
        <p className="quiet-words">{allowedWords[allowed]}</p>
      </div>
      {allowed === "on" && <Button onClick={stopNotifications}>Turn off</Button>}
      {allowed === "off" && (
        <Button look="primary" onClick={() => void allowNotifications()}>
          Turn on
        </Button>
      )}
    </div>
  );
}

const origins = {
  default: "usual",
  person: "yours",
  project: "the project's",
  variable: "a variable",
  flag: "the command line",
} as const;

function ConfigurationTable({ configuration }: { readonly configuration: ConfigurationAnswer }) {
  return (
    <>
      {configuration.remarks.map((remark) => (
        <p key={remark} className="warn-line">
          {remark}
        </p>
      ))}
      <Table
        label="Configuration"
        columns={["Setting", "Value", "From"]}
        rows={configuration.settings.map(({ key, value, from, where, ignored }) => ({
          key: `${key} ${from} ${where ?? ""}`,
          cells: [
            <code key="key">{key}</code>,
            <Fragment key="value">
              {value === null || value === undefined ? (
                <span className="quiet-words">not set</span>
              ) : (
                <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>
              )}
              {ignored !== undefined && <p className="quiet-words">Ignored: {ignored}</p>}
            </Fragment>,
            <Fragment key="from">
              {origins[from]}
              {where !== undefined && <p className="quiet-words">{where}</p>}
            </Fragment>,
          ],
        }))}
      />
    </>
  );
}

export function SettingsPage() {
  const me = useMe();
  const { value: configuration, error } = useRemote<ConfigurationAnswer>("/api/configuration");
  const { value: processes } = useRemote<PsAnswer>("/api/ps");
  return (
    <>
      <section aria-label="This page" className="cards">
        <h2>This page</h2>
        <div className="card">
          <ThemeSetting />
          <NotificationSetting />
          <div className="setting-row">
            <div>
              <h3>Signed in</h3>
              <p className="quiet-words">
                With the token “{me?.name}”, which {scopeWords(me?.scopes)}. Reins {me?.version}, started in {me?.cwd}
                {me !== undefined && me.roots.length > 0 && `, limited to ${me.roots.join(", ")}`}.
              </p>
            </div>
            <Button onClick={() => void logout().catch(toastError)}>Sign out</Button>
          </div>
        </div>
      </section>
      {may(me, "admin") && <Tokens />}
      <section aria-label="Configuration" className="cards">
        <h2>Configuration</h2>
        <p className="quiet-words">
          The settings in {me?.cwd} and their origin. Change them in <code>reins.config.json</code>, in environment
          variables or in project files; this page only shows them.
        </p>
        <Pending value={configuration} error={error} />
        {configuration !== undefined && <ConfigurationTable configuration={configuration} />}
      </section>
      <section aria-label="Running agents" className="cards">
        <h2>Running agents</h2>
        {processes !== undefined && processes.running.length === 0 && (
          <p className="quiet-words">None. Recently used agents stay warm for a while and are listed here.</p>
        )}
        {processes !== undefined && processes.running.length > 0 && (
          <Table
            label="Running agents"
            columns={["Agent", "Session", "#Process"]}
            rows={processes.running.map(({ agent, pid, title, session }) => ({
              key: String(pid),
              cells: [agent, <bdi key="session">{title ?? session ?? "ready for the next session"}</bdi>, pid],
            }))}
          />
        )}
      </section>
      {may(me, "admin") && <Terminals />}
    </>
  );
}
