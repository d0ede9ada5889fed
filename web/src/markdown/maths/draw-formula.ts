import katex, { type KatexOptions } from 'katex'

/** A part of a formula as KaTeX builds it, before it is text of a page. */
interface Built {
  readonly children?: readonly Built[]
  readonly attributes?: Record<string, string>
  toNode(): Node
}

// Its types leave out the function that returns elements instead of HTML text, which this page forbids.
const { __renderToDomTree: build } = katex as unknown as {
  readonly __renderToDomTree: (source: string, options: KatexOptions) => Built
}

/** The largest size in an inline formula, in em: its box has that size. */
const largestInLine = 12

/** The elements of a formula, or why there are none. */
export function drawFormula(
  source: string,
  display: boolean,
): { readonly node: Node } | { readonly trouble: string } {
  try {
    const built = build(source, {
      displayMode: display,
      throwOnError: true,
      strict: 'ignore',
      trust: false,
      maxSize: display ? 40 : largestInLine,
      maxExpand: 400,
    })
    return { node: withoutStyles(built).toNode() }
  } catch (error) {
    return { trouble: error instanceof Error ? error.message : 'Couldn’t parse the formula.' }
  }
}

/** Some parts carry inline styles, which the page's policy forbids; they are for screen readers only. */
function withoutStyles(built: Built): Built {
  if (built.attributes !== undefined) delete built.attributes['style']
  for (const child of built.children ?? []) withoutStyles(child)
  return built
}
