import type { ConfigurationAnswer, PsAnswer } from "../../server/schemas/settings.ts";
import { NotificationSetting } from "../notifications/notification-setting.tsx";
import { useRemote } from "../panels/use-remote.ts";
import { sentenceOf } from "../state/api.ts";
import { logout, may, useMe } from "../state/me.ts";
import { toastError } from "../state/toasts.ts";
import { Button } from "../ui/button.tsx";
import { ConfigurationTable } from "./configuration-table.tsx";
import { ThemeSetting } from "./theme-setting.tsx";
import { scopeWords } from "./scope-words.ts";
import { Tokens } from "./tokens.tsx";
import "../panels/panels.css";
import "../panels/pages.css";

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
          What counts in {me?.cwd}, and where it is from. It stands in <code>reins.config.json</code>, in variables and
          in the files of a project; the page only shows it.
        </p>
        {error !== undefined && <p role="alert">{sentenceOf(error)}</p>}
        {configuration !== undefined && <ConfigurationTable configuration={configuration} />}
      </section>
      <section aria-label="Agents that run now" className="cards">
        <h2>Agents that run now</h2>
        {processes !== undefined && processes.running.length === 0 && (
          <p className="quiet-words">None. One that was used lately stays warm for a while and is listed here.</p>
        )}
        {processes !== undefined && processes.running.length > 0 && (
          <div className="table-frame" tabIndex={0} role="region" aria-label="Agents that run now, table">
            <table className="table">
              <thead>
                <tr>
                  <th scope="col">Agent</th>
                  <th scope="col">Session</th>
                  <th scope="col" className="number">
                    Process
                  </th>
                </tr>
              </thead>
              <tbody>
                {processes.running.map(({ agent, pid, title, session }) => (
                  <tr key={pid}>
                    <td>{agent}</td>
                    <td>
                      <bdi>{title ?? session ?? "ready for the next one"}</bdi>
                    </td>
                    <td className="number">{pid}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
      </section>
    </>
  );
}
