import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { doors } from './doors.ts'

/** The fonts of formulas come in three formats; every browser that runs this app reads the newest. */
const newestFonts: Plugin = {
  name: 'newest-fonts',
  enforce: 'pre',
  transform: (code, id) =>
    id.includes('/katex/dist/')
      ? code.replaceAll(/,url\([^)]{0,200}\.(?:woff|ttf)\) format\("(?:woff|truetype)"\)/g, '')
      : undefined,
}

export default defineConfig({
  root: import.meta.dirname,
  resolve: { alias: [...doors] },
  plugins: [react(), newestFonts],
  build: {
    target: 'es2024',
    // The first that know light-dark(), which gives each colour its two values.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    outDir: '../dist/web',
    emptyOutDir: true,
    // What is smaller would become a data: address, which the policy of the page forbids for scripts and fonts.
    assetsInlineLimit: 0,
    // The parts that are larger are loaded when somebody needs them.
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
    rolldownOptions: { input: { app: 'index.html' } },
    manifest: 'files.json',
  },
  worker: { format: 'es' },
})
