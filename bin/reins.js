#!/usr/bin/env node
// Plain old JavaScript on purpose: it must run, and say something helpful, on every Node that knows modules.
import fs from "fs";
import mod from "module";
import { fileURLToPath } from "url";

/** A clone runs its TypeScript as it stands, which needs a newer Node than the built package. */
var inClone = fs.existsSync(new URL("../src/cli/main.ts", import.meta.url));
var needed = inClone ? [24, 0] : [22, 18];
/** Set in a process that was started again with a newer Node. */
var againMark = "REINS_AGAIN";

function newEnough(version) {
  var parts = version.split(".");
  return Number(parts[0]) > needed[0] || (Number(parts[0]) === needed[0] && Number(parts[1]) >= needed[1]);
}

/** The npm package `node` brings a Node of its own; beside this package or wherever npm put it. */
function findNewerNode() {
  try {
    var file = mod.createRequire(import.meta.url).resolve("node/package.json");
    var program = file.replace(/package\.json$/, process.platform === "win32" ? "bin/node.exe" : "bin/node");
    var version = JSON.parse(fs.readFileSync(file, "utf8")).version;
    return newEnough(version) && fs.existsSync(program) ? program : undefined;
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

function startAgain(program) {
  var spawn = mod.createRequire(import.meta.url)("child_process").spawn;
  var env = Object.assign({}, process.env);
  env[againMark] = "1";
  var args = [fileURLToPath(import.meta.url)].concat(process.argv.slice(2));
  // The channel carries nothing: it closes when this process dies, kill -9 included, and then the other one ends too.
  var child = spawn(program, args, { env: env, stdio: ["inherit", "inherit", "inherit", "ipc"] });
  // A terminal sends Ctrl-C to both; passing it on would make it two.
  var terminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  ["SIGINT", "SIGTERM", "SIGHUP"].forEach(function (signal) {
    process.on(signal, function () {
      if (signal !== "SIGINT" || !terminal) child.kill(signal);
    });
  });
  child.on("error", function (error) {
    fs.writeSync(2, "reins: " + program + " could not be started (" + error.message + ").\n");
    process.exit(1);
  });
  child.on("exit", function (code, signal) {
    if (!signal) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function endWithStarter() {
  delete process.env[againMark];
  process.on("disconnect", function () {
    process.kill(process.pid, "SIGTERM");
  });
  process.channel.unref();
}

function start() {
  if (process.env[againMark] && process.channel) endWithStarter();
  if (mod.enableCompileCache) mod.enableCompileCache();
  import(inClone ? "../src/cli/main.ts" : "../dist/cli/main.js")
    .then(function (cli) {
      return cli.main(process.argv.slice(2));
    })
    .then(
      function (exitCode) {
        if (typeof exitCode === "number") process.exitCode = exitCode;
      },
      function (error) {
        fs.writeSync(2, "reins: " + error.message + "\n");
        process.exitCode = 1;
      },
    );
}

var first = process.argv[2];
if (first === "--version" || first === "-v") {
  // Straight to the descriptor: setting up process.stdout costs more than all the rest.
  fs.writeSync(1, JSON.parse(fs.readFileSync(new URL("../package.json", import.meta.url), "utf8")).version + "\n");
} else if (newEnough(process.versions.node)) {
  start();
} else {
  var program = findNewerNode();
  if (program) startAgain(program);
  else {
    fs.writeSync(
      2,
      "reins needs Node " +
        needed.join(".") +
        " or newer and this is " +
        process.versions.node +
        ": install a newer Node, or run `npm install node@26` beside reins.\n",
    );
    process.exitCode = 1;
  }
}
