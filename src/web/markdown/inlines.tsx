import type { Inline } from "../../view/markdown/index.ts";

export function Inlines({ nodes }: { readonly nodes: readonly Inline[] }) {
  return nodes.map((node, index) => <InlineView key={index} node={node} />);
}

function InlineView({ node }: { readonly node: Inline }) {
  switch (node.kind) {
    case "text":
      return node.text;
    case "code":
      return <code>{node.text}</code>;
    case "break":
      return <br />;
    case "link":
      return <Link link={node} />;
    case "em":
    case "strong":
    case "del": {
      const Tag = node.kind;
      return (
        <Tag>
          <Inlines nodes={node.children} />
        </Tag>
      );
    }
  }
}

/** An address of the web is a link; anything else is told, and leads nowhere. */
function Link({ link }: { readonly link: Extract<Inline, { kind: "link" }> }) {
  const { href, target, children } = link;
  const label = <Inlines nodes={children} />;
  if (href !== undefined)
    return (
      <a href={href} title={href} target="_blank" rel="noopener noreferrer nofollow">
        {label}
      </a>
    );
  const [only] = children;
  const same = target === "" || (children.length === 1 && only !== undefined && "text" in only && only.text === target);
  return same ? (
    label
  ) : (
    <>
      {label} <span className="elsewhere">({target})</span>
    </>
  );
}
