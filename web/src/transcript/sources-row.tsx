import type { ReactElement } from 'react'
import { ForeignLink } from '../links/foreign-link.tsx'
import { InertText } from '../safety/inert-text.tsx'
import { hostOf } from './attached.ts'
import type { RowOf, SourcePart } from './row.ts'
import styles from './sources-row.module.css'

/** What the agent names as its sources. */
export const SourcesRow = ({ row: { sources } }: { readonly row: RowOf<'sources'> }): ReactElement => (
  <ul className={styles['sources']} aria-label="Sources">
    {sources.map((source, at) => (
      <li key={at} className={styles['source']}>
        <Source source={source} />
      </li>
    ))}
  </ul>
)

function Source({ source }: { readonly source: SourcePart }): ReactElement {
  if (source.type === 'source-document') return <InertText text={source.filename ?? source.title} />
  const host = hostOf(source.url) ?? source.url
  return (
    <ForeignLink address={source.url}>
      <InertText text={source.title === undefined ? host : `${source.title} (${host})`} />
    </ForeignLink>
  )
}
