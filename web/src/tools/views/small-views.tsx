import type { ReactElement } from 'react'
import { InertText } from '../../safety/inert-text.tsx'
import { inertString } from '../../safety/inert-text.ts'
import type { Fact, Picture } from '../sections/section.ts'
import styles from './views.module.css'

/** Short facts: names and values. */
export const Facts = ({ facts }: { readonly facts: readonly Fact[] }): ReactElement => (
  <dl className={styles['facts']}>
    {facts.map(([name, value]) => (
      <div key={name} className={styles['fact']}>
        <dt>
          <InertText text={name} />
        </dt>
        <dd>
          <InertText text={value} />
        </dd>
      </div>
    ))}
  </dl>
)

/** The images of an output. */
export const Pictures = ({ pictures }: { readonly pictures: readonly Picture[] }): ReactElement => (
  <div className={styles['pictures']}>
    {pictures.map(({ address, name }) => (
      <img key={address} className={styles['picture']} src={address} alt={inertString(name)} loading="lazy" />
    ))}
  </div>
)

/** Pages that a search found; their addresses are text, not links. */
export const Links = ({
  links,
}: {
  readonly links: readonly { readonly title: string; readonly address: string }[]
}): ReactElement => (
  <ul className={styles['links']}>
    {links.map(({ title, address }) => (
      <li key={address}>
        <InertText text={title} />
        <span className={styles['address']}>
          <InertText text={address} />
        </span>
      </li>
    ))}
  </ul>
)
