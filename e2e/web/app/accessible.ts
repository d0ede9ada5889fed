import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Throws when axe finds something on a page as it stands, with the places where it does. */
export async function assertAccessible(page: Page, state: string): Promise<void> {
  // The old mode needs no second page, which would not be let in.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.slice(0, 4).map(({ html, failureSummary }) => `${id}: ${html.slice(0, 300)}\n    ${failureSummary}`),
  )
  if (found.length > 0) throw new Error(`axe objects to ${state}:\n  ${found.join('\n  ')}`)
}
