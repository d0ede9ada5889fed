import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Runs axe on pages as they are, and reports at the end what was found on any of them. */
export interface AxeLooks {
  look(state: string): Promise<void>
  /** Throws when something was found. */
  finish(): void
}

/** Runs axe on one tab. */
export function createAxeLooks(page: Page): AxeLooks {
  const found: string[] = []
  return {
    async look(state) {
      // A list hides its rows until it has measured them, and axe takes a while: a row may be hidden meanwhile.
      await page.waitForFunction(() => document.querySelector('[style*="visibility: hidden"]') === null)
      // The old mode needs no second page, which would not be let in.
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze()
      for (const { id, nodes } of violations)
        for (const { html, failureSummary } of nodes.slice(0, 4))
          found.push(`${state}: ${id}: ${html.slice(0, 300)}\n    ${failureSummary}`)
    },
    finish() {
      if (found.length > 0) throw new Error(`axe objects:\n  ${found.join('\n  ')}`)
    },
  }
}
