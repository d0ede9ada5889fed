import { Fragment, type ReactElement } from 'react'
import type { Token } from 'marked'
import { ForeignImage } from '../links/foreign-image.tsx'
import { ForeignLink } from '../links/foreign-link.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { drawn, type Drawers } from './drawn.ts'
import { withEntities } from './entities.ts'
import { Maths } from './maths/maths.tsx'
import styles from './markdown.module.css'

/** Text with emphasis, links, code and formulas; everything else stays unchanged. */
export const Inline = ({ tokens }: { readonly tokens: readonly Token[] }): ReactElement => (
  <>
    {tokens.map((token, index) => (
      <Fragment key={index}>{drawn(drawers, token) ?? <InertText text={token.raw} />}</Fragment>
    ))}
  </>
)

const drawers: Drawers = {
  strong: ({ tokens }) => (
    <strong>
      <Inline tokens={tokens} />
    </strong>
  ),
  em: ({ tokens }) => (
    <em>
      <Inline tokens={tokens} />
    </em>
  ),
  del: ({ tokens }) => (
    <del>
      <Inline tokens={tokens} />
    </del>
  ),
  codespan: ({ text }) => (
    <code className={styles['code']}>
      <InertText text={text} />
    </code>
  ),
  br: () => <br />,
  link: ({ href, title, tokens, autolink = false }) => (
    <ForeignLink address={autolink ? href : withEntities(href)} title={title && withEntities(title)}>
      <Inline tokens={tokens} />
    </ForeignLink>
  ),
  image: ({ href, text, title }) => (
    <ForeignImage
      address={withEntities(href)}
      alt={withEntities(text)}
      title={title && withEntities(title)}
    />
  ),
  text: ({ tokens, text }) => (tokens ? <Inline tokens={tokens} /> : <InertText text={withEntities(text)} />),
  escape: ({ text }) => <InertText text={text} />,
  html: ({ raw }) => (/^<br\s*\/?>$/i.test(raw) ? <br /> : <InertText text={raw} />),
  maths: ({ source, raw, display }) => <Maths source={source} raw={raw} display={display} />,
  // It cannot be changed here: it is the agent's list.
  checkbox: ({ checked }) => (
    <input
      type="checkbox"
      className={styles['checkbox']}
      checked={checked}
      disabled
      readOnly
      aria-label={checked ? 'Done' : 'Not done'}
    />
  ),
}
