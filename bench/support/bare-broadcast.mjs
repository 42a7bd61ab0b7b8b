#!/usr/bin/env node
// The least that tells many readers the same: whoever sends "pace <events> <a second>" makes it broadcast that many, as large as events of
// Reins, with as many in a frame as come in 8 ms: with a frame each, 200 readers are more than it can serve. It prints its port.
import { WebSocketServer } from "ws";
import { paced } from "./paced.mjs";

const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
let seq = 0;

async function pace(events, perSecond) {
  for await (const count of paced(events, perSecond, 8)) {
    const all = [];
    for (let i = 0; i < count; i++)
      all.push(
        JSON.stringify({
          v: 1,
          seq: ++seq,
          time: new Date().toISOString(),
          sessionId: "ses_00000000-0000-0000-0000-000000000000",
          turnId: "turn_00000000-0000-0000-0000-000000000000",
          agent: "demo",
          type: "message.delta",
          messageId: "m1",
          text: String(process.hrtime.bigint()),
        }),
      );
    const frame = `{"type":"events","events":[${all.join(",")}]}`;
    for (const client of server.clients) client.send(frame);
  }
}

server.on("connection", (socket) =>
  socket.on("message", (data) => {
    const words = /pace (\d+) (\d+)/.exec(new TextDecoder().decode(data));
    if (words !== null) void pace(Number(words[1]), Number(words[2]));
  }),
);
server.on("listening", () => console.log(server.address().port));
