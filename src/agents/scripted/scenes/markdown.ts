import type { Step } from '../script.ts'

const fence = '```'

const text = `
## Markdown

Text can be **strong**, *leaning*, ~~struck out~~ or \`code\`. Lists nest, and tasks can be checked:

1. First things first
   - with details
   - and [a link](https://example.com/elsewhere), which asks before it opens
2. Then the rest
   - [x] written
   - [ ] read

> A quote is set apart from the text, and is shown unchanged.

### Code, in its colours

${fence}ts
/** The price of what is in the cart, in cents. */
export function total(lines: readonly Line[], discount = 0): number {
  const sum = lines.reduce((all, { price, count }) => all + price * count, 0)
  return Math.round(sum * (1 - discount)) // never half a cent
}
${fence}

${fence}diff
- return sum * (1 - discount)
+ return Math.round(sum * (1 - discount))
${fence}

### A table

| step  | files | time |
| :---- | ----: | ---: |
| look  |    12 |  2 s |
| edit  |     2 |  9 s |
| check |     – | 31 s |

### Maths

Inside a line: $e^{i\\pi} + 1 = 0$. And on its own:

$$
\\int_{-\\infty}^{\\infty} e^{-x^2}\\,dx = \\sqrt{\\pi}
\\qquad
\\bar{x} = \\frac{1}{n}\\sum_{i=1}^{n} x_i
$$

### A diagram

${fence}mermaid
flowchart LR
  A[Agent] -->|writes| J[(Journal)]
  J --> P[Page]
  J --> T[Terminal]
  P -->|approves| A
${fence}

### A picture from elsewhere

![A picture that is loaded only when you ask for it](https://example.com/picture.png)

`

/** Everything that Markdown can contain. */
export const markdown: readonly Step[] = [{ type: 'text', text: `${text.trim()}\n\n`, every: 8 }]
