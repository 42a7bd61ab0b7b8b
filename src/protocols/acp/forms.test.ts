import { expect, test } from "vitest";
import { elicitedBy, formOf } from "./forms.ts";

const form = (properties: object, more: object = {}) =>
  formOf({ message: "About you", requestedSchema: { type: "object", properties }, ...more });

const properties = {
  name: { type: "string", title: "Name", description: "Your name" },
  age: { type: "integer" },
  sure: { type: "boolean" },
  color: { type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] },
  size: { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l" }] },
  many: {
    type: "array",
    items: {
      anyOf: [
        { const: 1, title: "One" },
        { const: 2, title: "Two" },
      ],
    },
  },
};

test("turns each field into a question", () => {
  expect(form(properties)?.questions).toEqual([
    { id: "name", text: "About you\nYour name", header: "Name", options: [], multiple: false, free: true },
    { id: "age", text: "age", options: [], multiple: false, free: true },
    { id: "sure", text: "sure", options: [{ label: "Yes" }, { label: "No" }], multiple: false, free: false },
    { id: "color", text: "color", options: [{ label: "Red" }, { label: "Green" }], multiple: false, free: false },
    { id: "size", text: "size", options: [{ label: "Small" }, { label: "l" }], multiple: false, free: false },
    { id: "many", text: "many", options: [{ label: "One" }, { label: "Two" }], multiple: true, free: false },
  ]);
});

test("converts answers to the types of the form and leaves out answers that do not fit", () => {
  const wanted = form(properties)!;
  const answers = { name: "Ann", age: "7", sure: "No", color: "Green", size: "l", many: ["One", "Three"], other: "x" };
  expect(elicitedBy({ decision: "answer", answers }, wanted)).toEqual({
    action: "accept",
    content: { name: "Ann", age: 7, sure: false, color: "g", size: "l", many: [1] },
  });
  expect(elicitedBy({ decision: "answer", answers: { age: "old", color: ["Blue"], name: [] } }, wanted)).toEqual({
    action: "accept",
    content: { name: "" },
  });
  expect(elicitedBy({ decision: "answer" }, wanted)).toEqual({ action: "accept", content: {} });
  expect(elicitedBy({ decision: "skip" }, wanted)).toEqual({ action: "decline" });
});

test("attaches a free-text field to the question it belongs to", () => {
  const ownWords = (field: string) => /^(.+)_custom$/.exec(field)?.[1];
  const fields = {
    q: { type: "string", enum: ["Red"] },
    q_custom: { type: "string" },
    lone_custom: { type: "string" },
  };
  const wanted = formOf({ requestedSchema: { properties: fields } }, ownWords)!;
  expect(wanted.questions.map(({ id, free }) => [id, free])).toEqual([
    ["q", true],
    ["lone_custom", true],
  ]);
  const content = (q: string) => elicitedBy({ decision: "answer", answers: { q } }, wanted);
  expect(content("Red")).toEqual({ action: "accept", content: { q: "Red" } });
  expect(content("Green")).toEqual({ action: "accept", content: { q_custom: "Green" } });
});

test("returns undefined for a URL form, an empty form and a nested field", () => {
  expect(form({ where: { type: "string" } }, { mode: "url" })).toBeUndefined();
  expect(form({})).toBeUndefined();
  expect(form({ deep: { type: "object" } })).toBeUndefined();
  expect(form({ list: { type: "array", items: { type: "string" } } })).toBeUndefined();
  expect(formOf({})).toBeUndefined();
});
