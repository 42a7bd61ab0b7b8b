import type { Task } from "../../view/model.ts";
import { oneLine } from "../../events/printable.ts";
import { Badge, type Tone } from "../ui/badge.tsx";

const tones: Readonly<Record<string, Tone>> = { running: "accent", completed: "good", failed: "bad" };

/** Work that may outlive its turn. */
export function SessionTasks({ tasks }: { readonly tasks: readonly Task[] }) {
  if (tasks.length === 0) return null;
  return (
    <section aria-label="Background tasks">
      <h3>Background tasks</h3>
      <ul className="task-list">
        {tasks.map((task) => (
          <li key={task.taskId}>
            <span dir="auto">{oneLine(task.title) || task.taskKind}</span>
            <Badge tone={tones[task.status] ?? "neutral"}>{task.status}</Badge>
          </li>
        ))}
      </ul>
    </section>
  );
}
