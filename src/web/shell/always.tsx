/** What is there whatever the page shows: notifications, the overview of keys. */
export function Always() {
  return null;
}
