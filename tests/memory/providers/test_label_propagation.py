"""Groups of a graph: what hangs together densely."""

from itertools import combinations

from memory.providers.label_propagation import find_groups


def clique(*nodes: int) -> dict[tuple[int, int], float]:
    return dict.fromkeys(combinations(nodes, 2), 1.0)


def test_two_cliques_with_a_weak_bridge_are_two_groups():
    edges = clique(0, 1, 2, 3) | clique(4, 5, 6) | {(3, 4): 0.1}
    assert find_groups(edges) == [[0, 1, 2, 3], [4, 5, 6]]


def test_the_order_of_edges_makes_no_difference():
    edges = clique(0, 1, 2) | clique(3, 4, 5, 6) | {(2, 3): 0.2}
    assert find_groups(dict(reversed(edges.items()))) == find_groups(edges)


def test_no_edges_no_groups():
    assert find_groups({}) == []


def test_every_node_stands_in_one_group():
    edges = clique(*range(5)) | clique(*range(5, 9)) | clique(*range(9, 12))
    groups = find_groups(edges)
    assert sorted(node for group in groups for node in group) == list(range(12))
