import { useRoute } from "../state/route.ts";
import { ComparisonView } from "./comparison-view.tsx";
import { Comparisons } from "./comparisons.tsx";
import "../panels/panels.css";
import "../panels/pages.css";
import "./compare.css";

/** One prompt across several agents: `#/compare` begins and lists them, `#/compare/<id>` is one. */
export function ComparePage() {
  const [, id] = useRoute().parts;
  return id === undefined ? <Comparisons /> : <ComparisonView key={id} id={id} />;
}
