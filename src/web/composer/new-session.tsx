export function NewSession() {
  return <p>New session</p>;
}
