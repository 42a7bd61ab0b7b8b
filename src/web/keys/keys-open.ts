/** Whether the overview of keys is open: by its key, or from the sidebar. */
import { createStore } from "../state/store.ts";

export const keysOpen = createStore(false);
