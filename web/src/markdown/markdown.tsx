import { memo, useMemo, useState, type ReactElement } from 'react'
import type { Links } from 'marked'
import { Button } from '../ui/button.tsx'
import { bytes } from '../ui/amounts.ts'
import { BlockTokens } from './block-tokens.tsx'
import { createBlockCutter } from './blocks.ts'
import { firstPart } from './first-part.ts'
import { lexBlock } from './lex-block.ts'
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
