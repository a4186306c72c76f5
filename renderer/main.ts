/** Entry of the window: styles, then the page. */
import { mount } from 'svelte';
import App from './App.svelte';
import './styles/tokens.css';
import './styles/base.css';

const target = document.getElementById('app');
if (!target) throw new Error('index.html must have an element with the ID "app".');
mount(App, { target });
