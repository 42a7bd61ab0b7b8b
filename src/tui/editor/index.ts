/** The prompt editor: an immutable state, its keys, its completion, and the files after `@`. */
export * from "./completion.ts";
export { FileIndex } from "./file-index.ts";
export { fuzzyTop, type Match } from "./fuzzy.ts";
export { EditorHistory } from "./history.ts";
export { editKey } from "./keys.ts";
export { editorLines } from "./lines.ts";
export { mentionedImages, pastedImagePath, readPrompt } from "./prompt-marks.ts";
export { clearEditor, editorText, emptyEditor, insertPaste, isEmpty, setText, type EditorState } from "./state.ts";
