import { expect, test, vi } from "vitest";
import { PtyInput } from "./pty-input.ts";

function code(name: string): Error {
  return Object.assign(new Error(name), { code: name });
}

test("what a terminal does not take is kept in its order and written later", async () => {
  const taken: string[] = [];
  let room = 3;
  const write = (_fd: number, bytes: Buffer): number => {
    if (room === 0) throw code("EAGAIN");
    const part = bytes.subarray(0, room);
    room -= part.length;
    taken.push(part.toString());
    return part.length;
  };
  const input = new PtyInput({ fd: 9, isClosed: () => false, write });
  input.write("abcd");
  input.write(Buffer.from("ef"));
  expect(taken).toEqual(["abc"]);
  expect(input.unread).toBe(3);
  room = 100;
  await vi.waitFor(() => expect(taken.join("")).toBe("abcdef"));
  expect(input.unread).toBe(0);
});

test("nothing is written to a descriptor that is closed or broken", () => {
  const write = vi.fn<() => number>(() => {
    throw code("EIO");
  });
  let closed = true;
  const input = new PtyInput({ fd: 9, isClosed: () => closed, write });
  input.write("abc");
  expect(write).not.toHaveBeenCalled();
  closed = false;
  input.write("abc");
  expect(write).toHaveBeenCalledOnce();
  expect(input.unread).toBe(0);
});
