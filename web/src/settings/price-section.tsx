import type { ReactElement } from 'react'
import { InertText } from '../safety/inert-text.tsx'
import { Section, Setting } from './section.tsx'
import type { ServerSettings } from './use-settings.ts'
import styles from './settings-page.module.css'

/** Where prices come from. They are changed in a file only. */
export function PriceSection({ prices }: { readonly prices: ServerSettings['prices'] }): ReactElement {
  const own = Object.entries(prices.own)
  return (
    <Section title="Prices">
      <Setting name="Price table" about="Estimates of costs use list prices. Nothing is downloaded.">
        <p>{prices.date === null ? 'The table could not be loaded.' : `List prices of ${prices.date}`}</p>
      </Setting>
      <Setting
        name="Your prices"
        about="Dollars for a million tokens. Set them under “prices” in dragoman.json, and restart the server."
      >
        {own.length === 0 && <p>None</p>}
        {own.length > 0 && (
          <ul className={styles['prices']}>
            {own.map(([model, price]) => (
              <li key={model}>
                <InertText text={`${model}: ${wordsOf(price)}`} />
              </li>
            ))}
          </ul>
        )}
      </Setting>
    </Section>
  )
}

function wordsOf(price: unknown): string {
  const { input, output } = (price ?? {}) as { readonly input?: unknown; readonly output?: unknown }
  return `${String(input)} for input, ${String(output)} for output`
}
