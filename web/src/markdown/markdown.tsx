import { memo, useMemo, useState, type ReactElement } from 'react'
import type { Links } from 'marked'
import { Button } from '../ui/button.tsx'
import { bytes } from '../ui/amounts.ts'
import { BlockTokens } from './block-tokens.tsx'
import { createBlockCutter, lexBlock } from './blocks.ts'
import type { Outline } from './outline.ts'
import styles from './markdown.module.css'

/** An agent's Markdown; everything in it stays text. */
export const Markdown = memo(function Markdown({
  text,
  streaming = false,
}: {
  readonly text: string
  readonly streaming?: boolean
}): ReactElement {
  const [isWhole, showWhole] = useState(false)
  const [cutter] = useState(createBlockCutter)
  const shown = isWhole ? text : firstPart(text)
  const { blocks, links } = cutter.cut(shown)
  return (
    <div className={styles['markdown']}>
      {blocks.map(({ raw, open, outer }, index) => (
        <Block key={index} raw={raw} links={links} open={open && streaming} outer={outer} />
      ))}
      {shown.length < text.length && (
        <p className={styles['rest']}>
          <span>{`${bytes(text.length - shown.length)} more not shown.`}</span>
          <Button small onClick={() => showWhole(true)}>
            Show all
          </Button>
        </p>
      )}
    </div>
  )
})

interface BlockProps {
  readonly raw: string
  readonly links: Links
  readonly open: boolean
  readonly outer: Outline
}

/** Drawn again only when its own text changes. */
const Block = memo(function Block({ raw, links, open, outer }: BlockProps): ReactElement {
  const tokens = useMemo(() => lexBlock(raw, links, open), [raw, links, open])
  return <BlockTokens tokens={tokens} open={open} outer={outer} />
})

/** How much of a text is shown before the user asks for all of it. */
export const mostShown = 200_000

/** The part of a text that is shown at first: whole lines, if possible. */
export function firstPart(text: string): string {
  if (text.length <= mostShown) return text
  const lineEnd = text.lastIndexOf('\n', mostShown)
  if (lineEnd > mostShown / 2) return text.slice(0, lineEnd + 1)
  return text.slice(0, mostShown).replace(/[\uD800-\uDBFF]$/, '')
}
