import { use, type ReactElement } from 'react'
import type { Token, Tokens } from 'marked'
import { InertText } from '../safety/inert-text.tsx'
import { Code } from './code.tsx'
import { directionOf } from '../safety/direction.ts'
import { Diagram } from './diagram.tsx'
import { drawn, type Drawers } from './drawn.ts'
import { Inline } from './inline.tsx'
import { Maths } from './maths/maths.tsx'
import { headingLevel, outlineAfter, OutlineContext, type Outline } from './outline.ts'
import { Table } from './table.tsx'
import styles from './markdown.module.css'

/** Paragraphs, lists, code and so on; `open` means more text may follow. */
export function BlockTokens({
  tokens,
  open,
  outer,
}: {
  readonly tokens: readonly Token[]
  readonly open: boolean
  /** The headings above these blocks. */
  readonly outer: Outline
}): ReactElement {
  let outline = outer
  const outlines = tokens.map(token => (outline = outlineAfter(outline, token)))
  return (
    <>
      {tokens.map((token, index) => (
        <OutlineContext key={index} value={outlines[index] ?? outer}>
          {drawn(drawers, token, open && index === tokens.length - 1) ?? <Inline tokens={[token]} />}
        </OutlineContext>
      ))}
    </>
  )
}

/** Nested content. */
const Inner = ({
  tokens,
  open,
}: {
  readonly tokens: readonly Token[]
  readonly open: boolean
}): ReactElement => <BlockTokens tokens={tokens} open={open} outer={use(OutlineContext)} />

const drawers: Drawers = {
  paragraph: ({ raw, tokens }) => (
    <p dir={directionOf(raw)}>
      <Inline tokens={tokens} />
    </p>
  ),
  heading: token => <Heading token={token} />,
  code: ({ raw, text, lang = '' }, open) => {
    const [language] = lang.toLowerCase().split(/\s/, 1)
    if (language === 'mermaid') return <Diagram text={text} open={open} />
    if (language === 'math' && !open) return <Maths source={text} raw={raw} display />
    return <Code text={text} language={lang} streaming={open} />
  },
  list: (token, open) => <List token={token} open={open} />,
  blockquote: ({ tokens }, open) => (
    <blockquote>
      <Inner tokens={tokens} open={open} />
    </blockquote>
  ),
  table: token => <Table token={token} />,
  hr: () => <hr />,
  space: () => '',
  html: ({ raw }) => (
    <p className={styles['html']}>
      <InertText text={raw.trimEnd()} />
    </p>
  ),
  // A link definition only names an address; it has no visible text.
  def: ({ raw }) => (
    <p className={styles['html']}>
      <InertText text={raw.trimEnd()} />
    </p>
  ),
  maths: ({ source, raw }) => <Maths source={source} raw={raw} display />,
}

function Heading({ token: { raw, depth, tokens } }: { readonly token: Tokens.Heading }): ReactElement {
  const Level = headingLevel(use(OutlineContext))
  return (
    <Level className={styles[`heading${depth}`]} dir={directionOf(raw)}>
      <Inline tokens={tokens} />
    </Level>
  )
}

function List({ token, open }: { readonly token: Tokens.List; readonly open: boolean }): ReactElement {
  const items = token.items.map((item, index) => (
    <li key={index} className={item.task ? styles['task'] : undefined} dir={directionOf(item.raw)}>
      <Inner tokens={item.tokens} open={open && index === token.items.length - 1} />
    </li>
  ))
  return token.ordered ? <ol start={Number(token.start)}>{items}</ol> : <ul>{items}</ul>
}
