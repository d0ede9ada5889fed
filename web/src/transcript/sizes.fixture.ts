import { vi } from 'vitest'

/** Everything has a size at once, as nothing has in jsdom: the list is high, and each row of it low. */
class Sizes {
  readonly #tell: ResizeObserverCallback
  constructor(tell: ResizeObserverCallback) {
    this.#tell = tell
  }
  observe(target: Element): void {
    const height = target.getAttribute('role') === 'log' ? 4000 : 20
    const entry = { target, contentRect: { width: 800, height } }
    queueMicrotask(() => this.#tell([entry as unknown as ResizeObserverEntry], this))
  }
  unobserve(): void {}
  disconnect(): void {}
}

/** Lets lists that show only what is in sight show something in a test. */
export function stubSizes(): void {
  vi.stubGlobal('ResizeObserver', Sizes)
  Element.prototype.scrollTo = () => {}
  vi.spyOn(HTMLElement.prototype, 'offsetParent', 'get').mockReturnValue(document.body)
}
