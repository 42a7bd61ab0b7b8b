/**
 * Builds the environment of a child: the variables that every program needs and those that its agent declares. The child gets no keys of
 * other programs.
 */

const names = new Set(
  [
    "PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM COLORTERM TMPDIR TEMP TMP",
    "HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY http_proxy https_proxy no_proxy all_proxy",
    "SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS NODE_COMPILE_CACHE",
  ].flatMap((line) => line.split(" ")),
);
const prefixes = ["LC_", "XDG_"];

/** Compared without case, as Windows does. */
const windowsNames = new Set(
  [
    "SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT OS NUMBER_OF_PROCESSORS PROCESSOR_ARCHITECTURE PATH PUBLIC",
    "USERNAME USERDOMAIN USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA ALLUSERSPROFILE",
    "PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) PROGRAMW6432 COMMONPROGRAMFILES",
  ].flatMap((line) => line.split(" ")),
);

export interface DeclaredEnvironment {
  /** Variables to pass on. */
  readonly names?: readonly string[] | undefined;
  /** Prefixes of variables to pass on. */
  readonly prefixes?: readonly string[] | undefined;
  /** Variables to set. */
  readonly set?: Readonly<Record<string, string>> | undefined;
}

export function childEnvironment(
  parentEnv: Readonly<Record<string, string | undefined>>,
  declared: DeclaredEnvironment = {},
  platform: NodeJS.Platform = process.platform,
): Record<string, string> {
  const allNames = new Set([...names, ...(declared.names ?? [])]);
  const allPrefixes = [...prefixes, ...(declared.prefixes ?? []).filter((prefix) => prefix !== "")];
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(parentEnv)) {
    if (value === undefined) continue;
    const passes =
      allNames.has(name) ||
      allPrefixes.some((prefix) => name.startsWith(prefix)) ||
      (platform === "win32" && windowsNames.has(name.toUpperCase()));
    if (passes) env[name] = value;
  }
  return { ...env, ...declared.set };
}
