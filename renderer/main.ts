/** Entry of the window: styles, letters and language, then the page. */
import { mount } from 'svelte';
import { setLanguage } from './ui/language.ts';
import '@fontsource-variable/inter/wght.css';
import './styles/language-names.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/layout.css';
import './styles/cards.css';
import './styles/controls.css';
import './styles/dialogs.css';

const target = document.getElementById('app');
if (!target) throw new Error('index.html must have an element with the ID "app".');
// Otherwise the page would move when its letters come. Other scripts come when they are needed.
await Promise.all([
  setLanguage(document.documentElement, location.search, navigator.languages),
  document.fonts.load('16px "Inter Variable"').catch(() => undefined),
]);
// Modules of the page may take texts while they are loaded.
const { default: App } = await import('./App.svelte');
mount(App, { target });
