/** The window's requests about projects and their keys. Window only. */
import { projectRows, type Brand, type ProjectRecord } from '../../../shared/api/projects.ts';
import { call } from './call.ts';

/** All projects with their keys, oldest first. */
export const loadProjects = (): Promise<readonly ProjectRecord[]> => call(projectRows.list);

/** Makes a project with one key. */
export const createProject = (name: string): Promise<ProjectRecord> =>
  call(projectRows.create, { body: { name } });

/** Gives a project another name. */
export const renameProject = (id: string, name: string): Promise<ProjectRecord> =>
  call(projectRows.change, { params: { id }, body: { name } });

/** Keeps what a project's templates look like. */
export const saveBrand = (id: string, brand: Brand): Promise<ProjectRecord> =>
  call(projectRows.change, { params: { id }, body: { brand } });

/** Deletes an empty project with its keys. */
export const deleteProject = (id: string): Promise<undefined> =>
  call(projectRows.remove, { params: { id } });

/** Makes a key. */
export const createKey = (id: string, name: string): Promise<ProjectRecord['keys'][number]> =>
  call(projectRows.createKey, { params: { id }, body: { name } });

/** Takes a key away; scripts that use it are refused from now on. */
export const deleteKey = (id: string): Promise<undefined> =>
  call(projectRows.removeKey, { params: { id } });
