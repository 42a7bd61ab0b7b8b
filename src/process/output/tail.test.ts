import { fc } from "../../../test/support/fast-check.ts";
import { expect, test } from "vitest";
import { Tail } from "./tail.ts";
import { createRedactor } from "../../events/redact.ts";

const plain = createRedactor({});

test("keeps everything while it is short", () => {
  const tail = new Tail(100);
  expect(tail.text(plain)).toBe("");
  tail.push(Buffer.from("warning: ü\n"));
  tail.push(Buffer.from("error\n"));
  expect(tail.text(plain)).toBe("warning: ü\nerror\n");
});

test("keeps the end, however the stream is chunked", () => {
  const lengths = fc.array(fc.integer({ min: 0, max: 3000 }), { maxLength: 20 });
  fc.assert(
    fc.property(lengths, (chunks) => {
      const tail = new Tail(500);
      let all = "";
      chunks.forEach((length, index) => {
        const chunk = String.fromCharCode(97 + index).repeat(length);
        all += chunk;
        tail.push(Buffer.from(chunk));
      });
      expect(tail.text(plain)).toBe(all.length > 1524 ? all.slice(-500) : all);
    }),
  );
});

test("redacts a secret, also one that the cut goes through", () => {
  const secret = "hunter2-hunter2-hunter2";
  const redact = createRedactor({ ACME_PASSWORD: secret });
  const tail = new Tail(100);
  tail.push(Buffer.from(`key ${secret}.`));
  expect(tail.text(redact)).not.toContain("hunter2");
  for (let filler = 1000; filler < 1160; filler++) {
    const cut = new Tail(100);
    cut.push(Buffer.from(secret + "x".repeat(filler)));
    expect(cut.text(redact)).not.toContain("hunter2");
    expect(cut.text(redact)).not.toMatch(/nter2|er2/);
  }
});
