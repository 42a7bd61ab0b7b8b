#!/usr/bin/env node
// A minimal broadcast server. A client that sends "pace <events> <per second>" makes it broadcast that many events, as large as events of
// Reins, with all events of 8 ms in one frame: it cannot serve 200 readers with one frame per event. Prints its port.
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
