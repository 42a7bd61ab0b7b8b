/** Maps common tool names to canonical tools, for agents that have no table of their own. */
import type { Tool } from "./tools.ts";

/** Aliases in lower case, letters and digits only. */
const names: Readonly<Record<Exclude<Tool, "other">, string>> = {
  read: "read readfile readfiles readmanyfiles readtextfile fileread fsread view viewfile cat open openfile getfile getfilecontents",
  write: "write writefile writetextfile writetofile filewrite fswrite create createfile newfile savefile addfile",
  edit: "edit editfile editfiles fileedit multiedit strreplace strreplaceeditor strreplacebasededittool replace replaceinfile searchreplace searchandreplace applypatch applydiff applyedit patch insert insertedit updatefile modifyfile",
  delete: "delete deletefile deletefiles remove removefile rm unlink",
  move: "move movefile rename renamefile mv",
  list: "list ls listdir listdirectory listfiles listfolder readdir readdirectory readfolder tree",
  glob: "glob globsearch globfiles find findfile findfiles findbyname filesearch",
  grep: "grep grepsearch ripgrep rg search searchfiles searchfilecontent searchtext searchcode codesearch codebasesearch semanticsearch",
  shell:
    "shell shellcommand localshell bash sh zsh powershell exec execcommand execute executecommand run runcommand runshellcommand runinterminal runterminalcmd runterminalcommand terminal command",
  web_search: "websearch searchweb googlewebsearch internetsearch searchinternet",
  web_fetch: "webfetch fetch fetchurl fetchwebpage fetchpage readurl openurl urlfetch browse httprequest curl",
  plan: "plan updateplan createplan exitplanmode todo todos todowrite todoread writetodos updatetodos managetodolist",
  task: "task newtask agent subagent runsubagent spawnagent dispatchagent delegate delegatetask",
  question: "question ask askuser askuserquestion askquestion askfollowupquestion requestuserinput userinput",
  notebook: "notebook notebookedit editnotebook editnotebookcell runnotebookcell",
  mcp: "mcp mcptool mcptoolcall usemcptool accessmcpresource readmcpresource",
  memory: "memory savememory storememory updatememory remember recall",
  image: "image viewimage readimage generateimage imagegeneration createimage screenshot takescreenshot",
  mode: "mode switchmode setmode changemode enterplanmode",
};

const byName: ReadonlyMap<string, Tool> = new Map(
  Object.entries(names).flatMap(([tool, aliases]) => aliases.split(" ").map((alias) => [alias, tool as Tool])),
);

/** Returns `other` for an unknown name; the policy treats `other` as able to do anything. */
export function toolForName(name: string): Tool {
  if (/^mcp(?:__|[:/.])/i.test(name)) return "mcp";
  const whole = byName.get(plain(name));
  // Also matches names with a prefix or suffix: `functions.read_file`, `default_api:bash`, `read_file_tool`.
  return whole ?? byName.get(plain(name.replace(/^.*[.:/]/s, "").replace(/_?tool$/i, ""))) ?? "other";
}

function plain(name: string): string {
  return name
    .slice(0, 100)
    .toLowerCase()
    .replace(/[^a-z0-9]/g, "");
}
