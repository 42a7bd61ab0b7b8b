import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { listenToKeys } from "./keyboard.ts";
import { tokenInAddress } from "./state/route.ts";
import { askMe, login } from "./state/server.ts";
import { applyTheme } from "./state/theme.ts";
import "./styles/index.css";

applyTheme();
listenToKeys();

const given = tokenInAddress(location.hash);
if (given === undefined) void askMe();
else {
  // Remove the token from the address first, so that it is neither in the history nor visible on the screen.
  history.replaceState(null, "", `${location.pathname}${location.search}${given.rest}`);
  void login(given.token);
}

createRoot(document.getElementById("root") as HTMLElement).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
