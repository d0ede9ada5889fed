import { Fragment, type ReactElement } from 'react'
import type { Token, Tokens } from 'marked'
import { InertText } from '../safety/inert-text.tsx'
import { Code } from './code.tsx'
import { Diagram } from './diagram.tsx'
import { drawn, type Drawers } from './drawn.ts'
import { Inline } from './inline.tsx'
import { Maths } from './maths/maths.tsx'
import { Table } from './table.tsx'
import styles from './markdown.module.css'

/** Paragraphs, lists, code and so on; `open` says that more words may still come at the end. */
export const BlockTokens = ({
  tokens,
  open,
}: {
  readonly tokens: readonly Token[]
  readonly open: boolean
}): ReactElement => (
  <>
    {tokens.map((token, index) => (
      <Fragment key={index}>
        {drawn(drawers, token, open && index === tokens.length - 1) ?? <Inline tokens={[token]} />}
      </Fragment>
    ))}
  </>
)

const drawers: Drawers = {
  paragraph: ({ tokens }) => (
    <p dir="auto">
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
      <BlockTokens tokens={tokens} open={open} />
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
  // It names an address for links elsewhere; nothing that was said is hidden.
  def: ({ raw }) => (
    <p className={styles['html']}>
      <InertText text={raw.trimEnd()} />
    </p>
  ),
  maths: ({ source, raw }) => <Maths source={source} raw={raw} display />,
}

const levels = ['h3', 'h4', 'h5', 'h6'] as const

/** The page has a title of its own, and each message may have one: headings in a text stand below these. */
function Heading({ token: { depth, tokens } }: { readonly token: Tokens.Heading }): ReactElement {
  const Level = levels[depth - 1] ?? 'h6'
  return (
    <Level className={styles[`heading${depth}`]} dir="auto">
      <Inline tokens={tokens} />
    </Level>
  )
}

function List({ token, open }: { readonly token: Tokens.List; readonly open: boolean }): ReactElement {
  const items = token.items.map((item, index) => (
    <li key={index} className={item.task ? styles['task'] : undefined} dir="auto">
      <BlockTokens tokens={item.tokens} open={open && index === token.items.length - 1} />
    </li>
  ))
  return token.ordered ? <ol start={Number(token.start)}>{items}</ol> : <ul>{items}</ul>
}
