/** Entry of the window: styles and letters, then the page. */
import { mount } from 'svelte';
import App from './App.svelte';
import { directionOf } from './lib/test-language.ts';
import '@fontsource-variable/inter/wght.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/cards.css';
import './styles/controls.css';

document.documentElement.dir = directionOf(location.search);
const target = document.getElementById('app');
if (!target) throw new Error('index.html must have an element with the ID "app".');
// Otherwise the page would move when its letters come. Other scripts come when they are needed.
await document.fonts.load('16px "Inter Variable"').catch(() => undefined);
mount(App, { target });
