#!/usr/bin/env node
// Written in ES5 and CommonJS (see package.json beside it), which starts fastest: this file must run on every Node and print a helpful
// message on an old one.
"use strict";
var fs = require("fs");
var path = require("path");

/** A clone runs its TypeScript directly, which needs a newer Node than the built package. */
var inClone = fs.existsSync(path.join(__dirname, "../src/cli/main.ts"));
var needed = inClone ? [24, 0] : [22, 18];
/** Set in a process that was restarted with a newer Node. */
var againMark = "REINS_AGAIN";

function newEnough(version) {
  var parts = version.split(".");
  return Number(parts[0]) > needed[0] || (Number(parts[0]) === needed[0] && Number(parts[1]) >= needed[1]);
}

/** The npm package `node` contains a Node binary. npm may have put it beside this package or elsewhere. */
function findNewerNode() {
  try {
    var description = require.resolve("node/package.json");
    var program = path.join(description, "..", "bin", process.platform === "win32" ? "node.exe" : "node");
    return newEnough(require(description).version) && fs.existsSync(program) ? program : undefined;
  } catch (error) {
    if (error.code !== "MODULE_NOT_FOUND") throw error;
    return undefined;
  }
}

function startAgain(program) {
  var env = Object.assign({}, process.env);
  env[againMark] = "1";
  // The IPC channel carries no messages: it closes when this process dies, even by kill -9, and then the child ends too.
  var child = require("child_process").spawn(program, [__filename].concat(process.argv.slice(2)), {
    env: env,
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends Ctrl-C to both processes; forwarding it would deliver it twice.
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
    // The parent was killed, so do not wait for a clean exit; the guardian then ends what is left.
    setTimeout(function () {
      process.kill(process.pid, "SIGKILL");
    }, 1000).unref();
  });
  process.channel.unref();
}

function start() {
  if (process.env[againMark] && process.channel) endWithStarter();
  require("module").enableCompileCache();
  Promise.resolve()
    .then(function () {
      return inClone ? import("../src/cli/main.ts") : require("../dist/cli.cjs");
    })
    .then(function (cli) {
      return cli.main(process.argv.slice(2));
    })
    .catch(function (error) {
      fs.writeSync(2, "reins: " + error.message + "\n");
      process.exitCode = 1;
    });
}

function complain() {
  var message = "reins needs Node " + needed.join(".") + " or newer and this is " + process.versions.node;
  fs.writeSync(2, message + ": install a newer Node, or run `npm install node@26` beside reins.\n");
  process.exitCode = 1;
}

var first = process.argv[2];
if (first === "--version" || first === "-v") {
  // Write to the file descriptor directly: setting up process.stdout costs more than everything else here.
  try {
    fs.writeSync(1, require("../package.json").version + "\n");
  } catch (error) {
    // The same codes as in src/cli/exit-codes.ts.
    process.exitCode = error.code === "EPIPE" ? 141 : 1;
    if (error.code !== "EPIPE") fs.writeSync(2, "reins: " + error.message + "\n");
  }
} else if (newEnough(process.versions.node)) {
  start();
} else {
  var newerNode = findNewerNode();
  if (newerNode) startAgain(newerNode);
  else complain();
}
