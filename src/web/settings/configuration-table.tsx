import type { ConfigurationAnswer } from "../../server/schemas/settings.ts";

const origins = {
  default: "usual",
  person: "yours",
  project: "the project's",
  variable: "a variable",
  flag: "the command line",
} as const;

export function ConfigurationTable({ configuration }: { readonly configuration: ConfigurationAnswer }) {
  return (
    <>
      {configuration.remarks.map((remark) => (
        <p key={remark} className="warn-line">
          {remark}
        </p>
      ))}
      <div className="table-frame" tabIndex={0} role="region" aria-label="Configuration, table">
        <table className="table">
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {configuration.settings.map(({ key, value, from, where, ignored }) => (
              <tr key={`${key} ${from} ${where ?? ""}`}>
                <td>
                  <code>{key}</code>
                </td>
                <td>
                  {value === null || value === undefined ? (
                    <span className="quiet-words">not set</span>
                  ) : (
                    <code>{typeof value === "string" ? value : JSON.stringify(value)}</code>
                  )}
                  {ignored !== undefined && <p className="quiet-words">Does not count: {ignored}</p>}
                </td>
                <td>
                  {origins[from]}
                  {where !== undefined && <p className="quiet-words">{where}</p>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
